package dev.waybill.test.proof;

/** The ways in which a handler can fail its proof. */
public enum FaultKind {
    /** It fails although nothing is wrong. */
    FAILS_UNDISTURBED(
            "The handler fails although nothing was disturbed.",
            "Nothing else was tried. Mend the handler or the messages first."),
    /** It works through a connection in auto-commit mode. */
    AUTO_COMMIT(
            "A statement runs outside the message's transaction, on a connection in auto-commit mode.",
            "It is committed at once, whatever becomes of the message. Use the transaction that the handler is given, or"
                    + " allow the statement with allowing(...)."),
    /** It works in a transaction that it commits itself. */
    OWN_TRANSACTION(
            "A statement runs outside the message's transaction, in another one that is committed by itself.",
            "This is what REQUIRES_NEW or a connection of the handler's own does: the effect stays when the message is rolled"
                    + " back. Use the transaction that the handler is given, or allow the statement with allowing(...)."),
    /** It works in a transaction that nobody commits. */
    LOST_TRANSACTION(
            "A statement runs in a transaction that nobody commits.",
            "Its effect is lost when the connection is closed. Use the transaction that the handler is given."),
    /** The transaction boundary has seen work outside. */
    OUTSIDE(
            "The transaction boundary saw work outside the message's transaction.",
            "Its effect stays when the message is rolled back."),
    /** Two undisturbed runs differ. */
    NOT_REPEATABLE(
            "Two runs that nobody disturbed differ.",
            "The value is made anew each time: random, from a clock, or from outside. Derive it from the message's id or"
                    + " body, or leave the column out with ignoring(...). A probe must be put back by beforeEachRun(...)."),
    /** Something stays behind after a rollback. */
    SURVIVES_ROLLBACK(
            "An effect stays when the message's transaction is rolled back.",
            "It happens again when the message is delivered again. Make it part of the transaction that the handler is"
                    + " given."),
    /** It reports done after a statement failed. */
    SWALLOWED(
            "A statement fails, and the handler reports done all the same.",
            "Its transaction is lost or incomplete by then. Let the SQLException out, or put the statement into a nested"
                    + " transaction (a savepoint) whose failure is expected."),
    /** A second call gives another result. */
    REMEMBERS(
            "The handler gives another result when it is called again after a rollback.",
            "It remembers the first call: in a field, a static, a cache. A rollback does not undo that. Keep it in the"
                    + " database. Or it asks for deliveryCount(), which says nothing about what was done."),
    /** A restarted process gives another result. */
    FORGETS(
            "The handler gives another result when its process ends and another one goes on.",
            "What it kept in memory is gone. Keep it in the database. Or it asks for deliveryCount(), which says nothing about"
                    + " what was done."),
    /** Another order of sessions gives another result. */
    ORDER_OF_SESSIONS(
            "The handler gives another result when sessions come in another order.",
            "Only messages of one session come in order. Give messages that depend on each other the same session."),
    /** Handlers side by side give another result. */
    SIDE_BY_SIDE(
            "Handlers of several sessions side by side give another result.",
            "Usually a value is read and then written back. Write it in one statement, or lock the row with FOR UPDATE."),
    /** An effect that is watched happens another number of times. */
    EFFECT_OUTSIDE_THE_DATABASE(
            "An effect outside the database is another than in the undisturbed run.",
            "No rollback undoes it, so it happens again with the next delivery. Append a message to the outbox in its place,"
                    + " or make the receiver ignore repeats by the message's id."),
    /** A message meets another fate. */
    OTHER_FATE(
            "A message meets another fate after the disturbance.",
            "It was delivered again, as a broker does, and did not end as it does undisturbed.");

    private final String title;
    private final String advice;

    FaultKind(String title, String advice) {
        this.title = title;
        this.advice = advice;
    }

    /** The fault in one sentence. */
    public String title() {
        return title;
    }

    /** Why that is wrong, and what to do. */
    public String advice() {
        return advice;
    }
}
