package dev.waybill.standalone.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A password or a key. A secret from a file is read at each use, so that it can be rotated at run time. Thread-safe. */
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

    /** The current secret. While the file is missing, empty or too large, the last value remains valid. */
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

    @Override
    public String toString() {
        return file == null ? "(secret)" : "(secret in " + file + ")";
    }
}
