package pushcrypt.receiver;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import pushcrypt.PushCryptException;

/**
 * The state in the files of a directory, which must exist. On Android, it lies in {@code noBackupFilesDir}.
 * Contents are written to a temporary file, synced and renamed.
 */
public final class FileStore implements StateStore {
    private static final long MAXIMUM_LENGTH = 1 << 24;
    private static final String PREFIX = "pushcrypt.";
    private static final String TEMPORARY = ".new-";
    private static final Set<OpenOption> CREATE = new HashSet<>(Arrays.asList(
        StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));

    private final Path directory;
    private final long patience;

    /** Creates a store without opening a file. */
    public FileStore(File directory) {
        this(directory, 5000);
    }

    /** Creates a store whose locks wait for some milliseconds. */
    FileStore(File directory, long patience) {
        this.directory = directory.toPath();
        this.patience = patience;
    }

    @Override
    public byte[] read(String name) throws PushCryptException {
        Path file = file(name);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || channel.size() > MAXIMUM_LENGTH) {
                throw insecure(file);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        } catch (NoSuchFileException problem) {
            // Without the directory, the file may be there when the storage is.
            if (!Files.isDirectory(directory)) {
                throw new PushCryptException("file-not-found", directory + " is missing. Create the directory.");
            }
            return null;
        } catch (IOException problem) {
            if (Files.isSymbolicLink(file) || Files.isDirectory(file)) {
                throw insecure(file);
            }
            throw failure("read", file, problem);
        }
    }

    @Override
    public void write(String name, byte[] contents) throws PushCryptException {
        Path file = file(name);
        Path temporary = directory.resolve(file.getFileName() + TEMPORARY + UUID.randomUUID());
        try {
            try (FileChannel channel = create(temporary)) {
                ByteBuffer bytes = ByteBuffer.wrap(contents);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncDirectory();
        } catch (NoSuchFileException problem) {
            throw new PushCryptException("file-not-found", directory + " is missing. Create the directory.");
        } catch (IOException problem) {
            remove(temporary);
            throw failure("written", file, problem);
        }
    }

    @Override
    public void delete(String name) throws PushCryptException {
        try {
            Files.deleteIfExists(file(name));
            syncDirectory();
        } catch (IOException problem) {
            throw failure("deleted", file(name), problem);
        }
    }

    @Override
    public <Result> Result locked(String name, Action<Result> action) throws PushCryptException {
        Path file = file(name);
        FileLocks.Held held;
        try {
            held = FileLocks.acquire(lockFile(file), patience);
        } catch (IOException problem) {
            throw failure("locked", file, problem);
        }
        try {
            removeTemporaries(file);
            return action.run();
        } finally {
            held.close();
        }
    }

    /** Returns whether any contents exist whose name begins with a text. */
    public boolean hasAny(String start) throws PushCryptException {
        File[] found = directory.toFile().listFiles((parent, name) ->
            name.startsWith(PREFIX + start) && !name.endsWith(".lock") && !name.contains(TEMPORARY));
        if (found == null) {
            throw new PushCryptException("file-not-found", directory + " is missing. Create the directory.");
        }
        return found.length > 0;
    }

    private Path file(String name) {
        if (!name.matches("[A-Za-z0-9_.-]+")) {
            throw new IllegalArgumentException("The name has other characters than a store's. Rename it.");
        }
        return directory.resolve(PREFIX + name);
    }

    private static Path lockFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    private static FileChannel create(Path file) throws IOException {
        try {
            return FileChannel.open(
                file, CREATE, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (UnsupportedOperationException problem) {
            return FileChannel.open(file, CREATE);
        }
    }

    /** Syncs the names, if the system can open a directory. */
    private void syncDirectory() {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException problem) {
            return; // The contents are synced, and the rename is atomic.
        }
    }

    /** Removes what a killed process has left. No process writes under this lock. */
    private void removeTemporaries(Path file) {
        String start = file.getFileName() + TEMPORARY;
        File[] left = directory.toFile().listFiles((parent, name) -> name.startsWith(start));
        for (File each : left == null ? new File[0] : left) {
            remove(each.toPath());
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException problem) {
            return; // The next step under the lock tries again.
        }
    }

    private static PushCryptException insecure(Path file) {
        return new PushCryptException("insecure-file", file + " isn't a regular file of this store. Remove it.");
    }

    private static PushCryptException failure(String use, Path file, IOException problem) {
        String kind = problem instanceof FileAlreadyExistsException ? "exists" : problem.getClass().getSimpleName();
        return new PushCryptException(
            "file-system-error", file + " can't be " + use + " (" + kind + "). Check the device's storage.");
    }
}
