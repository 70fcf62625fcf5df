package dev.waybill.relay.lease;

import dev.waybill.relay.Publisher;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A destination that a relay has claimed.
 *
 * @param sequenceRaised whether the sequence was behind pending values, as after a restore without sequences, and was raised
 * @param entity the target of a migration; null for the configured entity
 */
public record Claim(
        String destination,
        long epoch,
        PreviousOwner previous,
        boolean sequenceRaised,
        Publisher.@Nullable Entity entity) {
    /** How the previous owner ended. {@code deaths} counts takeovers in a row from dead owners while messages were pending. */
    public record PreviousOwner(boolean died, int deaths, Optional<Suspect> suspect) {}

    /** A message that was sent in isolation when {@code deaths} owners in a row died. */
    public record Suspect(long seq, String messageId, int deaths) {}
}
