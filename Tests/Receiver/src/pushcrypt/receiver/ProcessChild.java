package pushcrypt.receiver;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import pushcrypt.PushCryptException;

/** A process that receives the messages of a file, and displays them as files. It is killed at any time. */
final class ProcessChild {
    private ProcessChild() { }

    /** Secrets in files without encryption. */
    static final class PlainSecrets implements SecretStore {
        private final FileStore files;

        PlainSecrets(File directory) {
            files = new FileStore(directory);
        }

        @Override
        public byte[] read(String name) throws PushCryptException {
            return files.read("secret." + name);
        }

        @Override
        public void write(String name, byte[] contents) throws PushCryptException {
            files.write("secret." + name, contents);
        }

        @Override
        public void delete(String name) throws PushCryptException {
            files.delete("secret." + name);
        }

        @Override
        public <Result> Result locked(String name, Action<Result> action) throws PushCryptException {
            return files.locked("secret." + name, action);
        }
    }

    /** A display whose notifications are files, and which logs each appearance. */
    static final class FileDisplay implements Display {
        private final Path directory;

        FileDisplay(Path directory) {
            this.directory = directory;
        }

        @Override
        public void show(Notice notice) {
            try {
                Path file = directory.resolve(notice.tag());
                String body = notice.content().body();
                boolean isNew = !Files.exists(file) || !new String(Files.readAllBytes(file)).equals(body);
                Path temporary = directory.resolveSibling("new");
                Files.write(temporary, body.getBytes(StandardCharsets.UTF_8));
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                if (isNew) {
                    Files.write(directory.resolveSibling("log"), (body + "\n").getBytes(StandardCharsets.UTF_8),
                        StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                }
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }

        @Override
        public void cancel(String tag) {
            directory.resolve(tag).toFile().delete();
        }

        @Override
        public Set<String> shown() {
            String[] names = directory.toFile().list();
            return new HashSet<>(Arrays.asList(names == null ? new String[0] : names));
        }
    }

    static Receiver receiver(Path directory, Account account) throws PushCryptException {
        return new ReceiverBuilder(Collections.singletonList(account), Carrier.FIREBASE_ANDROID,
            new PlainSecrets(directory.toFile()), new FileStore(directory.toFile()),
            new FileDisplay(directory.resolve("shown"))).build();
    }

    /** Receives all messages: the directory, the server's key, and the file with the sealed messages. */
    public static void main(String[] arguments) throws Exception {
        Account account = new Account("shop", SenderPolicy.signedBy(arguments[1]), "anna");
        Receiver receiver = receiver(Paths.get(arguments[0]), account);
        receiver.resume();
        for (String sealed : Files.readAllLines(Paths.get(arguments[2]))) {
            receiver.receive(World.data(sealed), null);
        }
    }
}
