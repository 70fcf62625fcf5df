-- The rights of each role. $schema and $role are replaced.

-- app
grant insert on $schema.outbox_message to $role;
grant usage on sequence $schema.outbox_message_seq to $role;
grant select, insert, update, delete on $schema.outbox_scheduled to $role;
-- For writers without the library, and for lists of more than a thousand sessions.
grant execute on function
    $schema.outbox_append(text, text, text, bytea, text, text, text, jsonb), $schema.outbox_exclude_writers()
    to $role;

-- relay
grant select, insert, update, delete on $schema.outbox_hold, $schema.outbox_held_message to $role;
grant execute on function
    $schema.outbox_bucket(text, text), $schema.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
    $schema.outbox_entity_of(text), $schema.outbox_moves()
    to $role;
grant select on
    $schema.outbox_message, $schema.outbox_message_0, $schema.outbox_message_1, $schema.outbox_message_2,
    $schema.outbox_message_3, $schema.outbox_message_4, $schema.outbox_message_5,
    $schema.outbox_message_6, $schema.outbox_message_7, $schema.outbox_lane, $schema.outbox_progress,
    $schema.outbox_progress_0, $schema.outbox_progress_1, $schema.outbox_progress_2,
    $schema.outbox_progress_3, $schema.outbox_cursor, $schema.relay_beat, $schema.relay_beat_0,
    $schema.relay_beat_1, $schema.relay_beat_2, $schema.relay_beat_3, $schema.relay_instance,
    $schema.relay_liveness, $schema.outbox_halt, $schema.outbox_straggler, $schema.outbox_row,
    $schema.outbox_message_status, $schema.outbox_pause, $schema.outbox_refusal,
    $schema.outbox_suspicion, $schema.outbox_scheduled, $schema.outbox_replay,
    $schema.outbox_replay_lane, $schema.outbox_destination, $schema.outbox_entity,
    $schema.outbox_backlog, $schema.relay_alarm
    to $role;
grant select, usage on sequence
    $schema.outbox_message_seq, $schema.outbox_progress_seq, $schema.outbox_lane_seq, $schema.relay_beat_seq
    to $role;
grant insert on
    $schema.outbox_progress, $schema.outbox_halt, $schema.relay_beat, $schema.outbox_message,
    $schema.outbox_destination
    to $role;
grant insert, update on $schema.outbox_lane, $schema.outbox_suspicion to $role;
grant insert, update, delete on $schema.relay_instance, $schema.outbox_refusal to $role;
grant update, delete on $schema.outbox_scheduled to $role;
grant delete on
    $schema.outbox_message_0, $schema.outbox_message_1, $schema.outbox_message_2,
    $schema.outbox_message_3, $schema.outbox_message_4, $schema.outbox_message_5,
    $schema.outbox_message_6, $schema.outbox_message_7
    to $role;
grant insert, delete on $schema.outbox_straggler to $role;
grant truncate on
    $schema.outbox_message_0, $schema.outbox_message_1, $schema.outbox_message_2,
    $schema.outbox_message_3, $schema.outbox_message_4, $schema.outbox_message_5,
    $schema.outbox_message_6, $schema.outbox_message_7, $schema.outbox_progress_0,
    $schema.outbox_progress_1, $schema.outbox_progress_2, $schema.outbox_progress_3,
    $schema.relay_beat_0, $schema.relay_beat_1, $schema.relay_beat_2, $schema.relay_beat_3
    to $role;

-- operator
grant select, insert, update, delete on $schema.outbox_hold, $schema.outbox_held_message to $role;
grant execute on function
    $schema.outbox_bucket(text, text), $schema.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
    $schema.outbox_entity_paths(), $schema.outbox_moves()
    to $role;
grant select on
    $schema.outbox_message, $schema.outbox_message_0, $schema.outbox_message_1, $schema.outbox_message_2,
    $schema.outbox_message_3, $schema.outbox_message_4, $schema.outbox_message_5,
    $schema.outbox_message_6, $schema.outbox_message_7, $schema.outbox_lane, $schema.outbox_progress,
    $schema.outbox_progress_0, $schema.outbox_progress_1, $schema.outbox_progress_2,
    $schema.outbox_progress_3, $schema.outbox_cursor, $schema.relay_beat, $schema.relay_beat_0,
    $schema.relay_beat_1, $schema.relay_beat_2, $schema.relay_beat_3, $schema.relay_instance,
    $schema.relay_liveness, $schema.outbox_halt, $schema.outbox_straggler, $schema.outbox_row,
    $schema.outbox_message_status, $schema.outbox_pause, $schema.outbox_refusal,
    $schema.outbox_suspicion, $schema.outbox_scheduled, $schema.outbox_replay,
    $schema.outbox_replay_lane, $schema.outbox_destination, $schema.outbox_entity,
    $schema.outbox_backlog, $schema.relay_alarm
    to $role;
grant insert, update, delete on $schema.outbox_pause, $schema.outbox_entity to $role;
grant update (owner, epoch) on $schema.outbox_lane to $role;
grant usage on sequence $schema.outbox_lane_seq to $role;
-- To lock a message that waits for its time, and to take it back.
grant update, delete on $schema.outbox_scheduled to $role;
grant insert, update on $schema.outbox_replay, $schema.outbox_replay_lane to $role;
grant insert on $schema.outbox_message to $role;
grant usage, select on sequence $schema.outbox_message_seq to $role;

-- eraser
grant select, delete on $schema.outbox_hold, $schema.outbox_held_message to $role;
grant update on $schema.outbox_hold to $role;
grant execute on function
    $schema.outbox_bucket(text, text), $schema.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8)
    to $role;
grant select on
    $schema.outbox_message, $schema.outbox_message_0, $schema.outbox_message_1, $schema.outbox_message_2,
    $schema.outbox_message_3, $schema.outbox_message_4, $schema.outbox_message_5,
    $schema.outbox_message_6, $schema.outbox_message_7, $schema.outbox_lane, $schema.outbox_progress,
    $schema.outbox_progress_0, $schema.outbox_progress_1, $schema.outbox_progress_2,
    $schema.outbox_progress_3, $schema.outbox_cursor, $schema.relay_beat, $schema.relay_beat_0,
    $schema.relay_beat_1, $schema.relay_beat_2, $schema.relay_beat_3, $schema.relay_instance,
    $schema.relay_liveness, $schema.outbox_halt, $schema.outbox_straggler, $schema.outbox_row,
    $schema.outbox_message_status, $schema.outbox_pause, $schema.outbox_refusal,
    $schema.outbox_suspicion, $schema.outbox_scheduled, $schema.outbox_replay,
    $schema.outbox_replay_lane, $schema.outbox_destination, $schema.outbox_entity,
    $schema.outbox_backlog, $schema.relay_alarm
    to $role;
grant delete on $schema.outbox_message, $schema.outbox_straggler, $schema.outbox_scheduled to $role;

-- readonly
grant select on $schema.outbox_hold, $schema.outbox_held_message to $role;
grant execute on function
    $schema.outbox_bucket(text, text), $schema.outbox_is_published(xid8, bigint, bigint, pg_snapshot, xid8),
    $schema.outbox_moves()
    to $role;
grant select on
    $schema.outbox_message, $schema.outbox_message_0, $schema.outbox_message_1, $schema.outbox_message_2,
    $schema.outbox_message_3, $schema.outbox_message_4, $schema.outbox_message_5,
    $schema.outbox_message_6, $schema.outbox_message_7, $schema.outbox_lane, $schema.outbox_progress,
    $schema.outbox_progress_0, $schema.outbox_progress_1, $schema.outbox_progress_2,
    $schema.outbox_progress_3, $schema.outbox_cursor, $schema.relay_beat, $schema.relay_beat_0,
    $schema.relay_beat_1, $schema.relay_beat_2, $schema.relay_beat_3, $schema.relay_instance,
    $schema.relay_liveness, $schema.outbox_halt, $schema.outbox_straggler, $schema.outbox_row,
    $schema.outbox_message_status, $schema.outbox_pause, $schema.outbox_refusal,
    $schema.outbox_suspicion, $schema.outbox_scheduled, $schema.outbox_replay,
    $schema.outbox_replay_lane, $schema.outbox_destination, $schema.outbox_entity,
    $schema.outbox_backlog, $schema.relay_alarm
    to $role;
