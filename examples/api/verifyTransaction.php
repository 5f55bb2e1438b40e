<?php
$context = stream_context_create(['http' => [
    'ignore_errors' => true,
    'header' => ['X-Merchant-API-Key: ' . getenv('GATEWAY_KEY')],
]]);
$answer = json_decode(file_get_contents(getenv('GATEWAY_URL') . '/payments/verify/' . getenv('TRANSACTION_ID'), false, $context), true);
if (!is_array($answer)) {
    throw new RuntimeException('The gateway did not answer');
}
if (isset($answer['error'])) {
    throw new RuntimeException($answer['error']['code'] . ': ' . $answer['error']['message']);
}
echo $answer['data']['status'], "\n";
