package dev.waybill.hold;

import static dev.waybill.schema.jooq.Tables.OPERATOR_ACTION;

import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/**
 * A deed of an operator. It is written in the transaction of the deed and outlives what it was done to.
 *
 * @param action such as {@code release}, {@code redrive} or {@code pause}
 * @param operator a person or a job
 * @param reason what the next person should know
 */
public record OperatorAction(String action, Subject subject, String operator, String reason) {
    /** Kinds of subjects. */
    public enum Kind {
        /** A hold of the outbox by its key; the scope is the destination. */
        OUTBOX_HOLD("outbox-hold"),
        /** A hold of the inbox by its key; the scope is the consumer. */
        INBOX_HOLD("inbox-hold"),
        /** Ids of dead letters with a space between them; the scope is the run of a re-drive, if there is one. */
        DEAD_LETTER("dead-letter"),
        /** A destination. */
        DESTINATION("destination"),
        /** The id of a message that waits for its time; the scope is the destination. */
        SCHEDULED_MESSAGE("scheduled-message"),
        /** The id of a replay; the scope is the destination. */
        REPLAY("replay"),
        /** The digest of an order to forget; the scope says whether it is about a message or a session. */
        ERASURE_ORDER("erasure-order");

        private final String column;

        Kind(String column) {
            this.column = column;
        }

        /** As in the column {@code subject_kind}. */
        public String column() {
            return column;
        }
    }

    /**
     * To what it was done.
     *
     * @param scope see {@link Kind}
     */
    public record Subject(Kind kind, String name, @Nullable String scope) {
        /** The condition that a row of {@code operator_action} is about this. */
        public Condition isOfRow() {
            return OPERATOR_ACTION
                    .SUBJECT_KIND
                    .eq(kind.column)
                    .and(OPERATOR_ACTION.SUBJECT.eq(name))
                    .and(OPERATOR_ACTION.SCOPE.isNotDistinctFrom(scope));
        }
    }

    /** Writes it. The context has the schema of the tables: see {@code SchemaName.in}. */
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
