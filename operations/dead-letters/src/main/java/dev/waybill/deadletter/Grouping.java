package dev.waybill.deadletter;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import org.jooq.Field;

/** By what dead letters are counted. */
public enum Grouping {
    /** The path of queue or subscription. */
    ENTITY,
    /** The reason. */
    REASON,
    /** The exception that reason or description name. */
    EXCEPTION_TYPE,
    /** The subject. */
    SUBJECT,
    /** The session. */
    SESSION,
    /** The state. */
    STATE;

    Field<String> field() {
        return switch (this) {
            case ENTITY -> DEAD_LETTER.ENTITY;
            case REASON -> DEAD_LETTER.REASON;
            case EXCEPTION_TYPE -> DEAD_LETTER.EXCEPTION_TYPE;
            case SUBJECT -> DEAD_LETTER.SUBJECT;
            case SESSION -> DEAD_LETTER.SESSION_ID;
            case STATE -> DEAD_LETTER.STATE;
        };
    }
}
