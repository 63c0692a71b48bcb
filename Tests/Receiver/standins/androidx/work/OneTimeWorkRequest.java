package androidx.work;

public final class OneTimeWorkRequest extends WorkRequest {
    public static final class Builder {
        public Builder(Class<? extends ListenableWorker> worker) { }

        public Builder setConstraints(Constraints constraints) {
            return this;
        }

        public OneTimeWorkRequest build() {
            return new OneTimeWorkRequest();
        }
    }
}
