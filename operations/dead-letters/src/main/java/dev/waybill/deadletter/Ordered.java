package dev.waybill.deadletter;

import static org.jooq.impl.DSL.val;

import java.util.List;
import java.util.UUID;
import org.jooq.Param;
import org.jspecify.annotations.Nullable;

/**
 * The orders that a look is about.
 *
 * @param request by what they name messages, where that is known: then indices find them. An order says only a digest
 */
record Ordered(List<UUID> digests, @Nullable ErasureRequest request) {
    Param<UUID[]> which() {
        return val(digests.toArray(UUID[]::new));
    }
}
