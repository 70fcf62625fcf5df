package dev.waybill.relay.loop;

import dev.waybill.relay.lease.Lease;
import dev.waybill.relay.lease.LoopProgress;
import java.util.function.LongSupplier;

/** The rooms that a turn of the loop goes through. */
record LoopParts(
        Lease lease,
        LoopProgress progress,
        LongSupplier nanoTime,
        Reading reading,
        Sending sending,
        Settling settling,
        Ownership ownership,
        HeldSends held,
        Refusals refusals) {}
