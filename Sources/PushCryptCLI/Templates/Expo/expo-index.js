// PushCrypt in an Expo app: the native module in ios/, and what it takes for granted.
import { requireNativeModule } from "expo";

const native = requireNativeModule("PushCrypt");

/** Registers the device. Call it at each launch, with the token of getExpoPushTokenAsync(). */
export function register({ token, url, headers = {}, account = "" }) {
    return native.register(token, url, headers, account);
}

/** Registers, or answers the server's challenge, if a background push asks for it. */
export function answer(payload, { token, url, headers = {} }) {
    return native.answer(payload, token, url, headers);
}

/** Returns the original of a push, whose payload is notification.request.trigger.payload. */
export async function open(payload, { background = false } = {}) {
    return JSON.parse(await native.open(payload, background));
}
