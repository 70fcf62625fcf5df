package dev.waybill.standalone.doctor;

/** The mistakes that the doctor detects. Numbers 1 to 14 cause incidents; the others concern the outbox. */
public enum Diagnosis {
    ORDER_INTERLEAVES(1, "messages that belong together arrive in any order"),
    DUPLICATES_GET_THROUGH(2, "repeats reach the consumer although the broker could drop them"),
    PROCESSED_TWICE(3, "a handler that outlasts its lock is run again beside itself"),
    VANISHES_ON_CRASH(4, "a consumer that dies takes what it was handed with it"),
    DEAD_LETTERS_UNSEEN(5, "dead letters never leave by themselves: somebody's business stands still"),
    POISON_STALLS(6, "one message that cannot be sent or handled keeps others waiting"),
    REDRIVE_LOSES(7, "a copy with a MessageId that the broker has seen lately is discarded without a trace"),
    DEFAULT_RULE_LEFT(8, "the subscription receives everything besides what its rules choose"),
    FEW_SESSIONS(9, "sessions are the unit of parallelism: more consumers than sessions have nothing to do"),
    THROTTLED_AT_PEAK(10, "the namespace answers ServerBusy, and everything waits"),
    DEFERRED_FORGOTTEN(11, "a deferred message comes only when asked for by its number"),
    ROLE_MISSING(12, "without the data role every send is answered by 401"),
    MESSAGE_TOO_LARGE(13, "the broker refuses it, and its session is held"),
    EXPIRES_SILENTLY(14, "messages that wait too long are gone without a dead letter"),
    TABLES(101, "the program and its tables must fit"),
    GRANTS(102, "without its grants the relay cannot record what it has published"),
    VACUUM_DELAYED(103, "vacuum cannot remove what was published, and the table grows"),
    NOT_PUBLISHING(104, "messages stand still"),
    CLOCK(105, "ages and schedules are judged by the database's clock"),
    FORGETS_TOO_EARLY(107, "a message whose id was forgotten has its effect again"),
    ENTITY(
            108,
            "messages for an entity that is missing or disabled wait; a deleted one took those that it had accepted"),
    BROKER_AWAY(109, "nothing is sent, and nothing about its entities can be verified; what waits is safe"),
    DATABASE_AWAY(110, "nothing can be appended, sent or examined until it answers"),
    WAKE_UPS(111, "writers in other processes cannot wake the relay, and a message waits for the next poll"),
    CONNECTIONS(112, "the server refuses connections beyond its limit, those of relays and of applications"),
    APPENDS_BLOCKED(113, "appends of the same session, or all of them, hang until that transaction ends");

    private final int number;
    private final String why;

    Diagnosis(int number, String why) {
        this.number = number;
        this.why = why;
    }

    public int number() {
        return number;
    }

    /** Whether a database or namespace does not answer, so that much was not examined. */
    public boolean isAway() {
        return this == BROKER_AWAY || this == DATABASE_AWAY;
    }

    public String why() {
        return why;
    }

    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
