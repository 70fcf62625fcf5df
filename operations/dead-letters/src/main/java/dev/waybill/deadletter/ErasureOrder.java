package dev.waybill.deadletter;

import dev.waybill.hold.AuditContext;
import java.time.Instant;
import java.util.UUID;

/**
 * An order to forget something. Says nothing itself: the id stands in it as a digest.
 *
 * @param live whether also what is still on its way is taken
 */
public record ErasureOrder(
        UUID digest, ErasureRequest.Kind kind, boolean live, AuditContext instruction, Instant orderedAt) {}
