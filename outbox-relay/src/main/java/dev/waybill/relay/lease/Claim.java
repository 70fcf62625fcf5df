package dev.waybill.relay.lease;

import dev.waybill.relay.Publisher;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A destination that a relay has just come to own.
 *
 * @param epoch that its settles and its release name
 * @param sequenceRaised whether the sequence was behind values of this claim's destinations and has been raised: somebody
 *     restored the database, or moved it without its sequences
 * @param entity where a move has brought the destination; null: where the publisher is set up to send
 */
public record Claim(
        String destination,
        long epoch,
        PreviousOwner previous,
        boolean sequenceRaised,
        Publisher.@Nullable Entity entity) {
    /**
     * How the destination came to be free.
     *
     * @param died whether the owner before had died, or its lease had run out
     * @param deaths take-overs in a row from dead owners while messages waited
     * @param suspect the message that was sent alone when an owner died
     */
    public record PreviousOwner(boolean died, int deaths, Optional<Suspect> suspect) {}

    /**
     * A message that was sent alone when an owner died.
     *
     * @param deaths owners in a row that died with it
     */
    public record Suspect(long seq, String messageId, int deaths) {}
}
