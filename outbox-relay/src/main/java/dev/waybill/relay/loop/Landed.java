package dev.waybill.relay.loop;

import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.Batch;

/** A batch that has come back. */
record Landed(Destination destination, Owned owned, Batch batch, PublishResult result) {}
