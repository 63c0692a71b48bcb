#import <React/RCTBridgeModule.h>

@interface RCT_EXTERN_MODULE(PushCrypt, NSObject)

RCT_EXTERN_METHOD(register:(NSDictionary *)options resolve:(RCTPromiseResolveBlock)resolve
                  reject:(RCTPromiseRejectBlock)reject)

RCT_EXTERN_METHOD(open:(NSDictionary *)userInfo resolve:(RCTPromiseResolveBlock)resolve
                  reject:(RCTPromiseRejectBlock)reject)

+ (BOOL)requiresMainQueueSetup { return NO; }

@end
