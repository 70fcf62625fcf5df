package dev.waybill.standalone.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A password or a key. One that was given in a file is read again whenever it is needed, so that it can be changed while the
 * process runs. Thread-safe.
 */
public final class Secret {
    private static final long LONGEST = 1 << 16;

    private final @Nullable Path file;
    private volatile String last;

    private Secret(@Nullable Path file, String text) {
        this.file = file;
        this.last = text;
    }

    static Secret of(Optional<Path> file, String text) {
        return new Secret(file.orElse(null), text);
    }

    /**
     * The secret now. While its file is missing or empty, as it may be for a moment when it is replaced, or is no small file at all, the
     * last one.
     */
    public String text() {
        if (file != null) {
            try {
                String now = read(file);
                if (!now.isEmpty()) {
                    last = now;
                }
            } catch (IOException e) {
                return last;
            }
        }
        return last;
    }

    private static String read(Path file) throws IOException {
        boolean usable = Files.isRegularFile(file) && Files.size(file) <= LONGEST;
        return usable ? Files.readString(file).replace("\ufeff", "").strip() : "";
    }

    /** Not the secret. */
    @Override
    public String toString() {
        return file == null ? "(secret)" : "(secret in " + file + ")";
    }
}
