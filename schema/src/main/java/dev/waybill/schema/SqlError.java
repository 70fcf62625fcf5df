package dev.waybill.schema;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's SQLSTATEs and what they mean; no other class classifies them. {@code docs/operations/errors.md} lists them. */
public enum SqlError {
    CONNECTION("08", Kind.CONNECTION, "the connection was lost, or cannot be made"),
    SIGN_IN("28", Kind.CONNECTION, "user or password are refused"),
    NO_DATABASE("3D000", Kind.CONNECTION, "no database of this name"),
    TOO_MANY("53300", Kind.CONNECTION, "too many connections"),
    ADMIN_SHUTDOWN("57P01", Kind.CONNECTION, "the server stops"),
    CRASH_SHUTDOWN("57P02", Kind.CONNECTION, "another session has crashed"),
    STARTING("57P03", Kind.CONNECTION, "the server starts"),
    DROPPED("57P04", Kind.CONNECTION, "the database was dropped"),
    IDLE_SESSION("57P05", Kind.CONNECTION, "a session was idle for too long"),
    READ_ONLY("25006", Kind.READ_ONLY, "a standby, or default_transaction_read_only"),
    RESOURCES("53", Kind.RESOURCES, "disk full, out of memory"),
    INTERVENTION("57", Kind.RESOURCES, "an operator intervenes"),
    SYSTEM("58", Kind.RESOURCES, "an I/O error of the server"),

    CANCELLED("57014", Kind.CANCELLED, "a statement exceeded its time limit, or was cancelled"),
    ROLLBACK("40", Kind.COLLISION, "serialization failure or deadlock"),
    LOCK("55P03", Kind.BUSY, "a lock was not available in time"),
    IDLE_TRANSACTION("25P03", Kind.BUSY, "a transaction was idle for too long"),
    LONG_TRANSACTION("25P04", Kind.BUSY, "a transaction lasted too long"),

    DENIED("42501", Kind.CONFIGURATION, "the role lacks a grant, or row level security forbids the row"),
    NO_TABLE("42P01", Kind.CONFIGURATION, "a table is missing: migrate"),
    NO_FUNCTION("42883", Kind.CONFIGURATION, "a function is missing: migrate"),
    NO_SCHEMA("3F000", Kind.CONFIGURATION, "no schema of this name"),

    VALUE("22", Kind.VALUE, "a value that its type or column does not take"),
    TOO_MUCH("54", Kind.LIMIT, "a limit of PostgreSQL"),
    NOT_NULL("23502", Kind.VALUE, "a column that must have a value has none"),
    CHECK("23514", Kind.VALUE, "a check constraint refuses the row, and would again"),
    CONSTRAINT("23", Kind.CONSTRAINT, "a missing key may come, an equal row may go"),
    NOT_SUPPORTED("0A", Kind.DEFECT, "a feature that this server lacks"),
    CARDINALITY("21", Kind.DEFECT, "one row expected, several found"),
    STATEMENT("42", Kind.DEFECT, "a wrong statement");

    /** What a SQLSTATE means. */
    public enum Kind {
        CONNECTION("waits and connects anew", "the receiver pauses until the database answers"),
        READ_ONLY("as connection", "as connection"),
        RESOURCES("retries the turn after a back-off", "as connection"),
        CANCELLED("retries the turn", "the attempt fails as transient"),
        COLLISION("retries the transaction", "retries at once, with jitter"),
        BUSY("retries the turn", "the attempt fails as transient"),
        CONFIGURATION(
                "refuses to start, or one WARN, a back-off and alarm `database`",
                "refuses to start, or one WARN, a back-off and alarm `not-receiving`"),
        VALUE("holds the row, or logs a defect", "the message is bad data: no retry in place"),
        LIMIT("as value", "as value"),
        CONSTRAINT("logs a defect with its stack trace", "the attempt fails; the policy decides"),
        DEFECT("logs a defect with its stack trace", "the attempt fails; the policy decides");

        private final String relay;
        private final String consumer;

        Kind(String relay, String consumer) {
            this.relay = relay;
            this.consumer = consumer;
        }

        /** What the relay does. */
        public String relay() {
            return relay;
        }

        /** What a consumer does. */
        public String consumer() {
            return consumer;
        }

        /** Whether the database is unusable for every statement. */
        public boolean isAway() {
            return this == CONNECTION || this == READ_ONLY || this == RESOURCES;
        }

        /** Whether the program or its data are at fault. */
        public boolean isOurs() {
            return this == VALUE || this == CONSTRAINT || this == DEFECT;
        }
    }

    private static final int LENGTH = 5;

    private static final Map<String, SqlError> BY_STATE =
            Arrays.stream(values()).collect(Collectors.toMap(SqlError::state, error -> error));

    private final String state;
    private final Kind kind;
    private final String meaning;

    SqlError(String state, Kind kind, String meaning) {
        this.state = state;
        this.kind = kind;
        this.meaning = meaning;
    }

    /** A SQLSTATE, or the first two characters of all of its class that have no row of their own. */
    public String state() {
        return state;
    }

    public Kind kind() {
        return kind;
    }

    public String meaning() {
        return meaning;
    }

    /** The error of an exception, without its causes; null if it has no SQLSTATE that is known. */
    public static @Nullable SqlError of(Throwable thrown) {
        return thrown instanceof SQLException sql ? of(sql.getSQLState()) : null;
    }

    public static @Nullable SqlError of(@Nullable String state) {
        if (state == null || state.length() != LENGTH) {
            return null;
        }
        @Nullable SqlError exact = BY_STATE.get(state);
        return exact == null ? BY_STATE.get(state.substring(0, 2)) : exact;
    }

    /** Whether a SQLSTATE is this one. */
    public boolean is(@Nullable String other) {
        return of(other) == this;
    }
}
