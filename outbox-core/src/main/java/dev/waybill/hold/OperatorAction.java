package dev.waybill.hold;

import static dev.waybill.schema.jooq.Tables.OPERATOR_ACTION;

import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/** An operator's action, such as {@code redrive}, recorded in its transaction. The record outlives its subject. */
public record OperatorAction(String action, Subject subject, String operator, String reason) {
    /** Kinds of subjects. */
    public enum Kind {
        /** A hold of the outbox by its key; the scope is the destination. */
        OUTBOX_HOLD("outbox-hold"),
        /** A hold of the inbox by its key; the scope is the consumer. */
        INBOX_HOLD("inbox-hold"),
        /** Ids of dead letters, separated by spaces; the scope is the re-drive run, if there is one. */
        DEAD_LETTER("dead-letter"),
        /** A destination. */
        DESTINATION("destination"),
        /** The id of a scheduled message; the scope is the destination. */
        SCHEDULED_MESSAGE("scheduled-message"),
        /** The id of a replay; the scope is the destination. */
        REPLAY("replay"),
        /** The digest of an erasure order; the scope is {@code message} or {@code session}. */
        ERASURE_ORDER("erasure-order");

        private final String column;

        Kind(String column) {
            this.column = column;
        }

        /** The value of the column {@code subject_kind}. */
        public String column() {
            return column;
        }
    }

    /** The object of an action; {@link Kind} says what the scope is. */
    public record Subject(Kind kind, String name, @Nullable String scope) {
        /** Selects the rows of {@code operator_action} about this subject. */
        public Condition isOfRow() {
            return OPERATOR_ACTION
                    .SUBJECT_KIND
                    .eq(kind.column)
                    .and(OPERATOR_ACTION.SUBJECT.eq(name))
                    .and(OPERATOR_ACTION.SCOPE.isNotDistinctFrom(scope));
        }
    }

    /** Writes the record; the context has the schema of the tables. */
    public void write(DSLContext tx, @Nullable JSONB before, @Nullable JSONB after) {
        tx.insertInto(OPERATOR_ACTION)
                .set(OPERATOR_ACTION.ACTION, action)
                .set(OPERATOR_ACTION.SUBJECT_KIND, subject.kind.column)
                .set(OPERATOR_ACTION.SUBJECT, subject.name)
                .set(OPERATOR_ACTION.SCOPE, subject.scope)
                .set(OPERATOR_ACTION.OPERATOR, operator)
                .set(OPERATOR_ACTION.REASON, reason)
                .set(OPERATOR_ACTION.BEFORE, before)
                .set(OPERATOR_ACTION.AFTER, after)
                .execute();
    }
}
