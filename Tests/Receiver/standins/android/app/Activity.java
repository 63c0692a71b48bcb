package android.app;

import android.content.ContextWrapper;
import android.content.Intent;
import android.os.Bundle;

public class Activity extends ContextWrapper {
    public Activity() {
        super(null);
    }

    protected void onCreate(Bundle savedInstanceState) { }

    public Intent getIntent() {
        return null;
    }

    public int checkSelfPermission(String permission) {
        return 0;
    }

    public final void requestPermissions(String[] permissions, int requestCode) { }
}
