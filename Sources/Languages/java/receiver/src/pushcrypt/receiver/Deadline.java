package pushcrypt.receiver;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A limit for the time that a message takes. The work goes on after it. */
final class Deadline {
    private final long milliseconds;

    /** Creates a limit; zero never ends, and runs the work on the caller's thread. */
    Deadline(long milliseconds) {
        this.milliseconds = milliseconds;
    }

    /** Returns the result of the work, or null if the time has passed. */
    Outcome run(Callable<Outcome> work) {
        FutureTask<Outcome> task = new FutureTask<>(work);
        if (milliseconds == 0) {
            task.run();
        } else {
            new Thread(task, "pushcrypt").start();
        }
        try {
            return milliseconds == 0 ? task.get() : task.get(milliseconds, TimeUnit.MILLISECONDS);
        } catch (TimeoutException problem) {
            return null;
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException problem) {
            throw rethrown(problem.getCause());
        }
    }

    /** Throws an error of the display, which has no checked ones. */
    private static RuntimeException rethrown(Throwable cause) {
        if (cause instanceof Error) {
            throw (Error) cause;
        }
        return (RuntimeException) cause;
    }
}
