package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.journal.Delivered;
import dev.waybill.servicebus.embedded.journal.JournalWriter;
import dev.waybill.servicebus.embedded.journal.Settled;
import dev.waybill.servicebus.embedded.journal.Settled.Outcome;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.time.Instant;

/** Writes the journal of one mailbox. */
public final class Ledger {
    private final JournalWriter journal;
    private final BrokerClock clock;

    Ledger(JournalWriter journal, BrokerClock clock) {
        this.journal = journal;
        this.clock = clock;
    }

    public void stored(Entry entry) {
        BrokerMessage message = entry.message();
        journal.stored(new Stored(
                entry.sequenceNumber(),
                message.messageId(),
                message.sessionId(),
                entry.enqueuedMillis(),
                message.encodedProperties()));
    }

    void delivered(Entry entry) {
        journal.delivered(new Delivered(
                entry.sequenceNumber(), entry.messageId(), entry.sessionId(), entry.deliveryCount, wallTime()));
    }

    void settled(Entry entry, Outcome outcome) {
        journal.settled(new Settled(entry.sequenceNumber(), entry.messageId(), entry.sessionId(), outcome, wallTime()));
    }

    private Instant wallTime() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }
}
