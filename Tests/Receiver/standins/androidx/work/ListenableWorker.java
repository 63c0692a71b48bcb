package androidx.work;

import android.content.Context;

public abstract class ListenableWorker {
    private final Context context;

    public ListenableWorker(Context context, WorkerParameters parameters) {
        this.context = context;
    }

    public final Context getApplicationContext() {
        return context;
    }

    public abstract static class Result {
        public static Result success() {
            return new Result() { };
        }

        public static Result retry() {
            return new Result() { };
        }
    }
}
