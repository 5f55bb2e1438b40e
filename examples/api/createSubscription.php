<?php
$context = stream_context_create(['http' => [
    'ignore_errors' => true,
    'method' => 'POST',
    'header' => [
        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: subscription-rahima',
    ],
    'content' => json_encode([
        'subscription_plan_id' => (int) getenv('PLAN_ID'),
        'customer' => [
            'name' => 'Rahima Khatun',
            'email' => 'rahima@example.com',
            'phone' => '01712345678',
        ],
    ]),
]]);
$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/subscriptions', false, $context), true);
if (!is_array($answer)) {
    throw new RuntimeException('The gateway did not answer');
}
if (isset($answer['error'])) {
    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);
}
echo $answer['uuid'], "\n";
