package dev.waybill.walletforge.demo.encryption;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The files of a mounted secret. */
public record KeyDirectory(Path path) {
    /** Adds a key, and lets it encrypt from now on. */
    public KeyDirectory rotateTo(String name) {
        var key = new byte[32];
        new SecureRandom().nextBytes(key);
        return write(name, Base64.getEncoder().encodeToString(key) + "\n").write("current", name + "\n");
    }

    /** Writes a file as it is given. */
    public KeyDirectory write(String name, String text) {
        try {
            Files.writeString(path.resolve(name), text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a key; returns the text that brings it back. */
    public String remove(String name) {
        try {
            String text = Files.readString(path.resolve(name));
            Files.delete(path.resolve(name));
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
