import 'dart:convert';

import 'package:flutter/services.dart';

/// PushCrypt in a Flutter app: the plug-in in ios/.
class PushCrypt {
  static const _channel = MethodChannel('pushcrypt');

  /// Registers the device. Call it at each launch, with the token of your push service.
  static Future<void> register({
    required String token,
    required String url,
    Map<String, String> headers = const {},
    String account = '',
  }) {
    return _channel.invokeMethod('register', {
      'token': token,
      'url': url,
      'headers': headers,
      'account': account,
    });
  }

  /// Returns the original of a push, from the notification's whole userInfo.
  static Future<Map<String, dynamic>> open(Map<String, dynamic> userInfo) async {
    final json = await _channel.invokeMethod<String>('open', {'userInfo': userInfo});
    return jsonDecode(json!) as Map<String, dynamic>;
  }
}
