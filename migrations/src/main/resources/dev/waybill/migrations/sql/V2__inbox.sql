-- The inbox: one row per message that a consumer has handled, written in the transaction of its effects.
create table inbox_message (
    -- 128 bits of a digest over consumer and logical id: one narrow key whatever the ids look like.
    key uuid primary key,
    consumer text not null,
    message_id text not null,
    handled_at timestamptz not null default clock_timestamp()
);
