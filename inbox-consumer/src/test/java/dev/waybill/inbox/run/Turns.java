package dev.waybill.inbox.run;

import dev.waybill.inbox.defer.ForgottenTurn;
import dev.waybill.inbox.defer.ResumptionTurn;
import dev.waybill.inbox.event.MessageEvents;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import dev.waybill.inbox.hold.HoldTurn;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.receive.ReceiverTurn;
import dev.waybill.inbox.receive.ResumeTurn;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.transaction.DatabaseGate;
import dev.waybill.inbox.transaction.MessageTransactions;
import java.util.Objects;

/** The turns of a consumer without its threads. */
public final class Turns {
    private final ConsumerParts parts;

    /** With a clock, and rests, of the test's own. */
    public Turns(ConsumerSettings settings, WorkerClock workerClock) {
        parts = new ConsumerParts(settings, workerClock);
    }

    public InFlightWork newWork() {
        return parts.newWork();
    }

    public ReceiverTurn receivers() {
        return parts.receivers;
    }

    public HoldTurn holds() {
        return parts.holds;
    }

    public ResumeTurn resumes() {
        return parts.resumes;
    }

    public ResumptionTurn resumptions() {
        return parts.resumptions;
    }

    public ForgottenTurn forgotten() {
        return parts.forgotten;
    }

    public ConsumerHeartbeat heartbeat() {
        return parts.heartbeat;
    }

    public MessageEvents events() {
        return parts.events;
    }

    public MessageTransactions transactions() {
        return parts.transactions;
    }

    public DatabaseGate gate() {
        return parts.gate;
    }

    /** Of a consumer with a retention. */
    public CleanUp cleanUp() {
        return Objects.requireNonNull(parts.cleanUp);
    }
}
