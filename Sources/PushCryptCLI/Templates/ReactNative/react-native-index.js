// PushCrypt in a React Native app: the native module in ios/.
import { NativeModules } from "react-native";

const native = NativeModules.PushCrypt;

/** Registers the device. Call it at each launch, with the token of your push service. */
export function register({ token, url, headers = {}, account = "" }) {
    return native.register({ token, url, headers, account });
}

/** Returns the original of a push, from the notification's whole userInfo. */
export async function open(userInfo) {
    return JSON.parse(await native.open(userInfo));
}
