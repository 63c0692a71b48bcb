package android.content;

import android.content.pm.PackageManager;
import java.io.File;

public class ContextWrapper extends Context {
    private Context base;

    public ContextWrapper(Context base) {
        this.base = base;
    }

    protected void attachBaseContext(Context context) {
        base = context;
    }

    @Override
    public File getNoBackupFilesDir() {
        return base.getNoBackupFilesDir();
    }

    @Override
    public <T> T getSystemService(Class<T> serviceClass) {
        return base.getSystemService(serviceClass);
    }

    @Override
    public String getPackageName() {
        return base.getPackageName();
    }

    @Override
    public PackageManager getPackageManager() {
        return base.getPackageManager();
    }

    @Override
    public ContentResolver getContentResolver() {
        return base.getContentResolver();
    }

    @Override
    public Context getApplicationContext() {
        return base.getApplicationContext();
    }

    @Override
    public String getString(int resource) {
        return base.getString(resource);
    }
}
