package dev.waybill.test.proof;

/** The ways in which a handler can fail its proof. */
public enum FaultKind {
    FAILS_UNDISTURBED(
            "The handler fails although nothing was disturbed.",
            "Nothing else was tried. Mend the handler or the messages first."),
    AUTO_COMMIT(
            "A statement runs outside the message's transaction, on a connection in auto-commit mode.",
            "It is committed at once, whatever becomes of the message. Use the transaction that the handler is given, or"
                    + " allow the statement with allowing(...)."),
    OWN_TRANSACTION(
            "A statement runs outside the message's transaction, in another one that is committed by itself.",
            "This is what REQUIRES_NEW or a connection of the handler's own does: the effect stays when the message is rolled"
                    + " back. Use the transaction that the handler is given, or allow the statement with allowing(...)."),
    LOST_TRANSACTION(
            "A statement runs in a transaction that nobody commits.",
            "Its effect is lost when the connection is closed. Use the transaction that the handler is given."),
    OUTSIDE(
            "The transaction boundary saw work outside the message's transaction.",
            "Its effect stays when the message is rolled back."),
    NOT_REPEATABLE(
            "Two runs that nobody disturbed differ.",
            "The value is made anew each time: random, from a clock, or from outside. Derive it from the message's id or"
                    + " body, or leave the column out with ignoring(...). A probe must be put back by beforeEachRun(...)."),
    SURVIVES_ROLLBACK(
            "An effect stays when the message's transaction is rolled back.",
            "It happens again when the message is delivered again. Make it part of the transaction that the handler is"
                    + " given."),
    SWALLOWED(
            "A statement fails, and the handler reports done all the same.",
            "Its transaction is lost or incomplete by then. Let the SQLException out, or put the statement into a nested"
                    + " transaction (a savepoint) whose failure is expected."),
    REMEMBERS(
            "The handler gives another result when it is called again after a rollback.",
            "It remembers the first call: in a field, a static, a cache. A rollback does not undo that. Keep it in the"
                    + " database. Or it asks for deliveryCount(), which says nothing about what was done."),
    FORGETS(
            "The handler gives another result when its process ends and another one goes on.",
            "What it kept in memory is gone. Keep it in the database. Or it asks for deliveryCount(), which says nothing about"
                    + " what was done."),
    ORDER_OF_SESSIONS(
            "The handler gives another result when sessions come in another order.",
            "Only messages of one session come in order. Give messages that depend on each other the same session."),
    SIDE_BY_SIDE(
            "Handlers of several sessions side by side give another result.",
            "Usually a value is read and then written back. Write it in one statement, or lock the row with FOR UPDATE."),
    EFFECT_OUTSIDE_THE_DATABASE(
            "An effect outside the database is another than in the undisturbed run.",
            "No rollback undoes it, so it happens again with the next delivery. Append a message to the outbox in its place,"
                    + " or make the receiver ignore repeats by the message's id."),
    OTHER_FATE(
            "A message meets another fate after the disturbance.",
            "It was delivered again, as a broker does, and did not end as it does undisturbed.");

    private final String title;
    private final String advice;

    FaultKind(String title, String advice) {
        this.title = title;
        this.advice = advice;
    }

    public String title() {
        return title;
    }

    public String advice() {
        return advice;
    }
}
