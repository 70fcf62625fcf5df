package dev.waybill.relay.loop;

record LoopParts(
        Reading reading, Sending sending, Settling settling, Ownership ownership, HeldSends held, Refusals refusals) {}
