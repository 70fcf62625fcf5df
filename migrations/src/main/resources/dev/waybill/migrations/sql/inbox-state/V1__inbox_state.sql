create table inbox_state (
    consumer text not null,
    session_id text not null,
    version bigint not null,
    state bytea not null,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (consumer, session_id)
);

comment on table inbox_state is 'what a consumer knows of each session, changed in the transactions of its messages';
comment on column inbox_state.consumer is 'name of the consumer';
comment on column inbox_state.session_id is 'the session, in lower case';
comment on column inbox_state.version is 'grows with each change; a change names the version that it has read';
comment on column inbox_state.state is 'bytes of the application';
comment on column inbox_state.changed_at is 'when it was changed last';
