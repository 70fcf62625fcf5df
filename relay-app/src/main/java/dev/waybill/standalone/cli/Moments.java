package dev.waybill.standalone.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Moments as people write them: {@code 2026-03-01T06:00:00Z}, {@code 2026-03-01T07:00+01:00}, or {@code 2h} for so long ago. */
final class Moments {
    private Moments() {}

    /**
     * Reads the value of an option; empty if it was not given.
     *
     * @throws IllegalArgumentException if it is no moment
     */
    static Optional<Instant> parse(String option, @Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        if (text.indexOf('T') > 0) {
            try {
                return Optional.of(OffsetDateTime.parse(text).toInstant());
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(
                        option + " '" + text + "' is not a time such as 2026-03-01T06:00:00Z, or 2h for so long ago");
            }
        }
        return Optional.of(InstantSource.system().instant().minus(Ages.parse(option, text)));
    }
}
