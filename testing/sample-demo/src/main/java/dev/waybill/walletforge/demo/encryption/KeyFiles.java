package dev.waybill.walletforge.demo.encryption;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key-encryption keys in the files of a directory, such as a mounted secret of Kubernetes: each file is a key of
 * 32 bytes in Base64 under its name, and the file {@code current} has the name of the one that encrypts.
 *
 * <p>Files are read when a data key is made or opened, so that a changed secret needs no restart. Data keys are
 * wrapped as RFC 3394 describes: without a nonce, so without a bound to the number of data keys.
 */
public final class KeyFiles implements KeyEncryption {
    private static final String CURRENT = "current";
    private static final int KEY_BYTES = 32;

    private final Path directory;

    private KeyFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * The keys of a directory.
     *
     * @throws IllegalStateException if they cannot be used as they are now, naming the file
     */
    public static KeyFiles in(Path directory) {
        var files = new KeyFiles(directory);
        files.names().forEach(files::key);
        files.current();
        return files;
    }

    @Override
    public WrappedKey wrap(byte[] dataKey) {
        String name = current();
        try {
            Cipher cipher = Cipher.getInstance("AESWrap");
            cipher.init(Cipher.WRAP_MODE, key(name));
            return new WrappedKey(name, cipher.wrap(new SecretKeySpec(dataKey, "AES")));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The key '" + name + "' encrypts nothing", e);
        }
    }

    @Override
    public byte[] unwrap(WrappedKey wrapped) {
        // The name comes with a message: it is compared with what is there, and never becomes a path.
        Set<String> names = names();
        if (!names.contains(wrapped.keyId())) {
            throw new UnknownKeyException("The key '" + wrapped.keyId() + "' is not in " + directory + ", which has "
                    + names + ": put it back, then re-drive or release the message");
        }
        try {
            Cipher cipher = Cipher.getInstance("AESWrap");
            cipher.init(Cipher.UNWRAP_MODE, key(wrapped.keyId()));
            return cipher.unwrap(wrapped.bytes(), "AES", Cipher.SECRET_KEY).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new TamperedMessageException(
                    "The key '" + wrapped.keyId()
                            + "' does not open the message's data key: the message was changed, or "
                            + "the file holds another key than it did",
                    e);
        }
    }

    private String current() {
        String name = read(CURRENT).strip();
        if (!names().contains(name)) {
            throw new IllegalStateException(
                    "The file '" + CURRENT + "' in " + directory + " names no key of " + names());
        }
        return name;
    }

    private Set<String> names() {
        var names = new TreeSet<String>();
        try (Stream<Path> files = Files.list(directory)) {
            // Kubernetes keeps its own links there, with names that begin with two dots.
            files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !name.equals(CURRENT))
                    .forEach(names::add);
        } catch (IOException e) {
            throw new IllegalStateException("The keys in " + directory + " cannot be listed", e);
        }
        return names;
    }

    private SecretKeySpec key(String name) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(read(name).strip());
        } catch (IllegalArgumentException e) {
            // Without its cause, which quotes characters of the key.
            throw new IllegalStateException("The file '" + name + "' in " + directory + " is no Base64");
        }
        if (key.length != KEY_BYTES) {
            throw new IllegalStateException("The file '" + name + "' in " + directory + " has a key of " + key.length
                    + " bytes in the place of " + KEY_BYTES);
        }
        try {
            return new SecretKeySpec(key, "AES");
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private String read(String name) {
        try {
            return Files.readString(directory.resolve(name), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new IllegalStateException("There is no file '" + name + "' in " + directory, e);
        } catch (IOException e) {
            throw new IllegalStateException("The file '" + name + "' in " + directory + " cannot be read", e);
        }
    }
}
