package dev.waybill.deadletter.repair;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;

/** Decides about a kind of dead letters. Implemented by applications; called outside of transactions, by one thread. */
public interface RepairRule {
    String name();

    /** The letters that the rule decides about; only open ones are passed. If this throws, no later rule is asked. */
    DeadLetterFilter matches();

    /** Decides about a letter, and again if the job was interrupted. If this throws, the letter stays as it is. */
    Repair decide(DeadLetter letter) throws Exception;
}
