package dev.waybill.relay.loop;

/** The rooms that a turn of the loop goes through. */
record LoopParts(
        Reading reading, Sending sending, Settling settling, Ownership ownership, HeldSends held, Refusals refusals) {}
