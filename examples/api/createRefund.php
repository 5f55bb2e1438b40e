<?php
$context = stream_context_create(['http' => [
    'ignore_errors' => true,
    'method' => 'POST',
    'header' => [
        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: refund-order-1001',
    ],
    'content' => json_encode([
        'transaction_id' => getenv('TRANSACTION_ID'),
        'refund_amount' => '250.50',
        'refund_reason' => 'One parcel was damaged',
    ]),
]]);
$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/refund', false, $context), true);
if (!is_array($answer)) {
    throw new RuntimeException('The gateway did not answer');
}
if (isset($answer['error'])) {
    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);
}
echo $answer['data']['refund_id'], "\n";
