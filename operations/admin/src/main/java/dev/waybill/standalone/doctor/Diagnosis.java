package dev.waybill.standalone.doctor;

/** The mistakes that the doctor knows. One to fourteen page people; the others concern the outbox itself. */
public enum Diagnosis {
    /** 1. */
    ORDER_INTERLEAVES(1, "messages that belong together arrive in any order"),
    /** 2. */
    DUPLICATES_GET_THROUGH(2, "repeats reach the consumer although the broker could drop them"),
    /** 3. */
    PROCESSED_TWICE(3, "a handler that outlasts its lock is run again beside itself"),
    /** 4. */
    VANISHES_ON_CRASH(4, "a consumer that dies takes what it was handed with it"),
    /** 5. */
    DEAD_LETTERS_UNSEEN(5, "dead letters never leave by themselves: somebody's business stands still"),
    /** 6. */
    POISON_STALLS(6, "one message that cannot be sent or handled keeps others waiting"),
    /** 7. */
    REDRIVE_LOSES(7, "a copy with a MessageId that the broker has seen lately is discarded without a trace"),
    /** 8. */
    DEFAULT_RULE_LEFT(8, "the subscription receives everything besides what its rules choose"),
    /** 9. */
    FEW_SESSIONS(9, "sessions are the unit of parallelism: more consumers than sessions have nothing to do"),
    /** 10. */
    THROTTLED_AT_PEAK(10, "the namespace answers ServerBusy, and everything waits"),
    /** 11. */
    DEFERRED_FORGOTTEN(11, "a deferred message comes only when asked for by its number"),
    /** 12. */
    ROLE_MISSING(12, "without the data role every send is answered by 401"),
    /** 13. */
    MESSAGE_TOO_LARGE(13, "the broker refuses it, and its session is held"),
    /** 14. */
    EXPIRES_SILENTLY(14, "messages that wait too long are gone without a dead letter"),
    /** Tables. */
    TABLES(101, "the program and its tables must fit"),
    /** Grants. */
    GRANTS(102, "without its grants the relay cannot record what it has published"),
    /** An old transaction delays vacuum. */
    VACUUM_DELAYED(103, "vacuum cannot remove what was published, and the table grows"),
    /** No relay, or none that gets on. */
    NOT_PUBLISHING(104, "messages stand still"),
    /** Clocks. */
    CLOCK(105, "ages and schedules are judged by the database's clock"),
    /** Inbox retention. */
    FORGETS_TOO_EARLY(107, "a message whose id was forgotten has its effect again"),
    /** Entities. */
    ENTITY(108, "messages for an entity that is missing or disabled wait"),
    /** Nobody answers at a namespace. */
    BROKER_AWAY(109, "nothing is sent, and nothing about its entities can be verified; what waits is safe");

    private final int number;
    private final String why;

    Diagnosis(int number, String why) {
        this.number = number;
        this.why = why;
    }

    /** Its number, which does not change. */
    public int number() {
        return number;
    }

    /** Why it matters. */
    public String why() {
        return why;
    }

    /** The name of the mistake, which does not change. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
