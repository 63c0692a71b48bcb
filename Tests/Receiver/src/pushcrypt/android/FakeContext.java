package pushcrypt.android;

import android.app.NotificationManager;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import java.io.File;

/** A context over the stand-ins. */
final class FakeContext extends Context {
    final NotificationManager manager = new NotificationManager();
    private final File directory;

    FakeContext(File directory) {
        this.directory = directory;
    }

    @Override
    public File getNoBackupFilesDir() {
        return directory;
    }

    @Override
    public <T> T getSystemService(Class<T> serviceClass) {
        return serviceClass.cast(manager);
    }

    @Override
    public String getPackageName() {
        return "com.example.app";
    }

    @Override
    public PackageManager getPackageManager() {
        return new PackageManager() {
            @Override
            public Intent getLaunchIntentForPackage(String packageName) {
                return new Intent();
            }
        };
    }

    @Override
    public ContentResolver getContentResolver() {
        return new ContentResolver() { };
    }

    @Override
    public Context getApplicationContext() {
        return this;
    }

    @Override
    public String getString(int resource) {
        return "text";
    }
}
