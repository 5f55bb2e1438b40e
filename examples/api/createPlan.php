<?php
$context = stream_context_create(['http' => [
    'ignore_errors' => true,
    'method' => 'POST',
    'header' => [
        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: plan-tea-club',
    ],
    'content' => json_encode([
        'plan_name' => 'Tea club',
        'amount' => '500.00',
        'interval_count' => 1,
        'interval_unit' => 'MONTH',
    ]),
]]);
$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/subscription-plans', false, $context), true);
if (!is_array($answer)) {
    throw new RuntimeException('The gateway did not answer');
}
if (isset($answer['error'])) {
    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);
}
echo $answer['id'], "\n";
