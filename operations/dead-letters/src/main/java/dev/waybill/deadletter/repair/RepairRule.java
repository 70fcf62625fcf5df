package dev.waybill.deadletter.repair;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;

/** Knows what to do about a kind of dead letters. User code; called outside of any transaction, by one thread. */
public interface RepairRule {
    /** Stands in the audit and in the report. */
    String name();

    /** Which dead letters to look at; of these, only the open ones. If it throws, no later rule of the job is asked. */
    DeadLetterFilter matches();

    /**
     * Decides about one of them. May be asked again about the same one if the job was interrupted. If it throws, the dead
     * letter stays as it is, and no other rule of the job is asked about it.
     */
    Repair decide(DeadLetter letter) throws Exception;
}
