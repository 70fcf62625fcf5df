package dev.waybill.migrations;

import dev.waybill.schema.SchemaName;

/** The database roles, and their grants. None of them needs to own the schema. */
public enum Role {
    /** The application: appends messages, schedules and cancels them, and nothing else. */
    APP("""
            grant usage on schema %1$s to %2$s;
            grant insert on %1$s.outbox_message to %2$s;
            grant usage on sequence %1$s.outbox_message_seq to %2$s;
            grant select, insert, update, delete on %1$s.outbox_scheduled to %2$s;
            grant insert on %1$s.outbox_claim, %1$s.outbox_claim_body to %2$s;
            -- For writers without the library, and for lists of more than a thousand sessions.
            grant execute on function
                %1$s.outbox_append(text, text, text, bytea, text, text, text, jsonb), %1$s.outbox_exclude_writers()
                to %2$s;
            """),

    /**
     * The relay: reads messages, records progress, truncates what is published. Also who collects dead letters.
     */
    RELAY("""
            grant usage on schema %1$s to %2$s;
            grant execute on function
                %1$s.outbox_bucket(text, text), %1$s.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
                %1$s.outbox_entity_of(text), %1$s.outbox_moves()
                to %2$s;
            grant select on all tables in schema %1$s to %2$s;
            grant select, usage on sequence
                %1$s.outbox_message_seq, %1$s.outbox_progress_seq, %1$s.outbox_lane_seq, %1$s.relay_beat_seq
                to %2$s;
            grant insert on %1$s.outbox_progress to %2$s;
            grant insert on %1$s.outbox_halt, %1$s.relay_beat to %2$s;
            grant insert, update on %1$s.outbox_lane to %2$s;
            grant insert, update, delete on %1$s.relay_instance to %2$s;
            grant insert, update, delete on %1$s.hold, %1$s.held_message, %1$s.outbox_refusal to %2$s;
            grant insert, update on %1$s.outbox_suspicion to %2$s;
            grant update, delete on %1$s.outbox_scheduled, %1$s.outbox_claim to %2$s;
            grant delete on %1$s.outbox_claim_body to %2$s;
            grant insert on %1$s.outbox_message to %2$s;
            grant delete on
                %1$s.outbox_message_0, %1$s.outbox_message_1, %1$s.outbox_message_2, %1$s.outbox_message_3,
                %1$s.outbox_message_4, %1$s.outbox_message_5, %1$s.outbox_message_6, %1$s.outbox_message_7
                to %2$s;
            grant insert, delete on %1$s.outbox_straggler to %2$s;
            grant insert on %1$s.dead_letter_message, %1$s.dead_letter_state to %2$s;
            -- For a letter that was imported without its body, and is collected with it.
            grant update (payload, body_kind, emptied) on %1$s.dead_letter_message to %2$s;
            grant update (state, changed_at) on %1$s.dead_letter_state to %2$s;
            grant usage on sequence %1$s.dead_letter_message_id_seq to %2$s;
            grant execute on function %1$s.erasure_digest(text, text), %1$s.erasure_gate() to %2$s;
            grant execute on function %1$s.message_event_trim() to %2$s;
            grant insert, update on %1$s.dead_letter_entity to %2$s;
            grant insert on %1$s.outbox_destination to %2$s;
            -- Of people whom the console has signed in.
            grant insert, update, delete on %1$s.console_session, %1$s.outbox_sample to %2$s;
            grant truncate on
                %1$s.outbox_message_0, %1$s.outbox_message_1, %1$s.outbox_message_2, %1$s.outbox_message_3,
                %1$s.outbox_message_4, %1$s.outbox_message_5, %1$s.outbox_message_6, %1$s.outbox_message_7,
                %1$s.outbox_progress_0, %1$s.outbox_progress_1, %1$s.outbox_progress_2, %1$s.outbox_progress_3,
                %1$s.relay_beat_0, %1$s.relay_beat_1, %1$s.relay_beat_2, %1$s.relay_beat_3
                to %2$s;
            """),

    /** A consumer: records what it has handled, and holds what it cannot handle. */
    CONSUMER("""
            grant usage on schema %1$s to %2$s;
            grant insert on %1$s.inbox_message to %2$s;
            grant select, delete on %1$s.inbox_message to %2$s;
            do $$ begin
                if to_regclass('%1$s.waybill_migration') is not null then
                    grant select on %1$s.waybill_migration to %2$s;
                end if;
            end $$;
            grant select, insert, update, delete on
                %1$s.inbox_start, %1$s.inbox_session, %1$s.inbox_response, %1$s.inbox_deferral, %1$s.inbox_state,
                %1$s.inbox_instance, %1$s.inbox_consumer, %1$s.inbox_resumption, %1$s.inbox_acceptance
                to %2$s;
            grant select, insert on %1$s.inbox_key_owner to %2$s;
            grant usage on sequence %1$s.inbox_acceptance_seq to %2$s;
            grant select on %1$s.outbox_claim_body, %1$s.dead_letter to %2$s;
            grant select, insert, update, delete on %1$s.hold, %1$s.held_message to %2$s;
            grant insert on %1$s.message_event to %2$s;
            grant usage on sequence %1$s.message_event_seq to %2$s;
            grant execute on function %1$s.message_event_trim() to %2$s;
            """),

    /**
     * Decides about held messages, dead letters, paused destinations and replays; sees everything, publishes
     * nothing.
     */
    OPERATOR("""
            grant usage on schema %1$s to %2$s;
            grant execute on function
                %1$s.outbox_bucket(text, text), %1$s.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
                %1$s.outbox_entity_paths(), %1$s.outbox_moves()
                to %2$s;
            grant select on all tables in schema %1$s to %2$s;
            grant insert, update, delete on %1$s.hold, %1$s.held_message to %2$s;
            grant insert on %1$s.hold_audit, %1$s.inbox_message to %2$s;
            grant insert, update, delete on %1$s.outbox_pause, %1$s.outbox_entity to %2$s;
            grant update (owner, epoch) on %1$s.outbox_lane to %2$s;
            grant usage on sequence %1$s.outbox_lane_seq to %2$s;
            grant insert on %1$s.outbox_pause_audit, %1$s.outbox_scheduled_audit to %2$s;
            -- To lock a message that waits for its time, and to take it back.
            grant update, delete on %1$s.outbox_scheduled to %2$s;
            grant insert, update on %1$s.outbox_replay, %1$s.outbox_replay_lane to %2$s;
            grant insert on %1$s.outbox_message to %2$s;
            grant usage, select on sequence %1$s.outbox_message_seq to %2$s;
            grant update on %1$s.outbox_claim to %2$s;
            grant insert, update, delete on
                %1$s.dead_letter_message, %1$s.dead_letter_state, %1$s.dead_letter_version, %1$s.dead_letter_archive,
                %1$s.dead_letter_redrive, %1$s.dead_letter_redrive_page
                to %2$s;
            -- To lock what the view shows: FOR UPDATE asks for it, although nothing can be updated through a join.
            grant update on %1$s.dead_letter to %2$s;
            grant usage on sequence %1$s.dead_letter_message_id_seq to %2$s;
            grant insert on %1$s.dead_letter_audit to %2$s;
            grant execute on function %1$s.erasure_digest(text, text), %1$s.erasure_gate() to %2$s;
            """),

    /**
     * An eraser: removes messages by id or session, wherever they are, and sees everything. The operator's role
     * cannot.
     */
    ERASER("""
            grant usage on schema %1$s to %2$s;
            grant execute on function
                %1$s.outbox_bucket(text, text), %1$s.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
                %1$s.erasure_digest(text, text), %1$s.erasure_gate(), %1$s.erasure_barrier()
                to %2$s;
            grant select on all tables in schema %1$s to %2$s;
            grant insert, update, delete on %1$s.erasure_order to %2$s;
            grant delete on
                %1$s.dead_letter_message, %1$s.dead_letter_state, %1$s.dead_letter_version, %1$s.dead_letter_archive,
                %1$s.outbox_message, %1$s.outbox_straggler, %1$s.outbox_scheduled, %1$s.outbox_claim_body,
                %1$s.hold, %1$s.held_message, %1$s.inbox_response, %1$s.inbox_state, %1$s.message_event
                to %2$s;
            grant update on
                %1$s.dead_letter, %1$s.dead_letter_message, %1$s.dead_letter_state, %1$s.hold, %1$s.outbox_claim
                to %2$s;
            grant update (before, after) on %1$s.hold_audit to %2$s;
            grant insert on %1$s.dead_letter_audit, %1$s.inbox_message to %2$s;
            """),

    /** Somebody who looks on. */
    READONLY("""
            grant usage on schema %1$s to %2$s;
            grant execute on function
                %1$s.outbox_bucket(text, text), %1$s.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
                %1$s.erasure_digest(text, text), %1$s.outbox_moves()
                to %2$s;
            grant select on all tables in schema %1$s to %2$s;
            """);

    private final String grants;

    Role(String grants) {
        this.grants = grants;
    }

    /**
     * The statements that give a database role what this one needs. The role that owns the tables runs them.
     *
     * @param databaseRole an existing role, as it is to stand in the statements
     */
    public String grants(SchemaName schema, String databaseRole) {
        return grants.formatted(schema, databaseRole);
    }
}
