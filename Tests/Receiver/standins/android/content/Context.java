package android.content;

import android.content.pm.PackageManager;
import java.io.File;

public abstract class Context {
    public abstract File getNoBackupFilesDir();

    public abstract <T> T getSystemService(Class<T> serviceClass);

    public abstract String getPackageName();

    public abstract PackageManager getPackageManager();

    public abstract ContentResolver getContentResolver();

    public abstract Context getApplicationContext();

    public abstract String getString(int resource);
}
