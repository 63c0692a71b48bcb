package pushcrypt.android;

import com.google.firebase.messaging.FirebaseMessagingService;
import com.google.firebase.messaging.RemoteMessage;
import pushcrypt.PushCryptException;
import pushcrypt.receiver.Outcome;
import pushcrypt.receiver.Receiver;

/** The service that Firebase calls. Declare a subclass in the manifest. */
public abstract class SealedMessagingService extends FirebaseMessagingService {
    /** The collapse key of messages without one. */
    private static final String WITHOUT_COLLAPSE_KEY = "do_not_collapse";

    private static boolean isResumed;

    /** Returns the app's receiver, which is the same for the whole process. */
    protected abstract Receiver receiver();

    /** Registers all accounts with the token, on this thread or in a job. */
    protected abstract void register(String token);

    /** Registers because a message asks for it: it has stored a challenge, or has no content. */
    protected abstract void registerIfAsked(Outcome outcome);

    /** Handles the payload of a background message. */
    protected void handle(Outcome background) { }

    @Override
    public void onMessageReceived(RemoteMessage message) {
        resumeOnce();
        Outcome outcome = receiver().receive(message.getData(), collapseId(message));
        switch (outcome.kind()) {
            case CHALLENGE:
            case REGISTRATION:
                registerIfAsked(outcome);
                break;
            case BACKGROUND:
                handle(outcome);
                break;
            default:
        }
    }

    @Override
    public void onNewToken(String token) {
        register(token);
    }

    /** Displays what a kill has interrupted, once for each process. */
    private void resumeOnce() {
        synchronized (SealedMessagingService.class) {
            if (isResumed) {
                return;
            }
            isResumed = true;
        }
        try {
            receiver().resume();
        } catch (PushCryptException problem) {
            return; // The next start tries again.
        }
    }

    private String collapseId(RemoteMessage message) {
        String key = message.getCollapseKey();
        boolean isDefault = WITHOUT_COLLAPSE_KEY.equals(key) || getPackageName().equals(key);
        return isDefault ? null : key;
    }
}
