package androidx.work;

import java.util.concurrent.TimeUnit;

public final class PeriodicWorkRequest extends WorkRequest {
    public static final class Builder {
        public Builder(Class<? extends ListenableWorker> worker, long interval, TimeUnit unit) { }

        public Builder setConstraints(Constraints constraints) {
            return this;
        }

        public PeriodicWorkRequest build() {
            return new PeriodicWorkRequest();
        }
    }
}
