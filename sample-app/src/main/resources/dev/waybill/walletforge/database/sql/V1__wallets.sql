-- What the intake accepted, each tx_id once.
create table payment (
    tx_id text primary key,
    wallet_id text not null,
    kind text not null check (kind in ('credit', 'debit')),
    amount_cents bigint not null check (amount_cents >= 0),
    -- Place in the input: the order in which a wallet's payments take effect.
    position bigint not null unique
);

create table wallet (
    wallet_id text primary key,
    balance_cents bigint not null default 0,
    applied bigint not null default 0,
    declined bigint not null default 0
) with (fillfactor = 50);

-- One row per application. There is no unique constraint on tx_id on purpose: a payment that is applied twice must show,
-- and not be hidden by the table.
create table ledger_entry (
    id bigint generated always as identity primary key,
    tx_id text not null,
    wallet_id text not null,
    kind text not null,
    amount_cents bigint not null,
    outcome text not null check (outcome in ('applied', 'declined')),
    balance_after bigint not null
);
