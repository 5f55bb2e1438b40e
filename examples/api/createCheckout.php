<?php
$context = stream_context_create(['http' => [
    'ignore_errors' => true,
    'method' => 'POST',
    'header' => [
        'X-Merchant-API-Key: ' . getenv('GATEWAY_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: checkout-order-1001',
    ],
    'content' => json_encode([
        'order_id' => 'order-1001',
        'currency' => 'BDT',
        'order_amount' => '1250.50',
        'success_url' => 'https://shop.example.com/paid',
        'fail_url' => 'https://shop.example.com/failed',
        'cancel_url' => 'https://shop.example.com/cancelled',
        'customer' => [
            'name' => 'Rahima Khatun',
            'email' => 'rahima@example.com',
            'phone' => '01712345678',
            'address' => 'House 7, Road 3, Dhanmondi',
            'city' => 'Dhaka',
            'postcode' => '1205',
            'country' => 'Bangladesh',
        ],
    ]),
]]);
$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/checkout', false, $context), true);
if (!is_array($answer)) {
    throw new RuntimeException('The gateway did not answer');
}
if (isset($answer['error'])) {
    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);
}
echo $answer['data']['checkout_url'], "\n";
