package dev.waybill.standalone.cli;

import java.util.List;
import java.util.Set;

/** The verbs about a database; {@code RolesTest} sees to it that none is missing. */
final class DatabaseVerbs {
    private static final String WORD = " --reason r --yes";

    /** Each verb with what it takes to reach its last statement. Words in braces are put in by the tests. */
    static final List<String> ALL = List.of(
            "audit",
            "dlq abandon {run}" + WORD,
            "dlq archive --message m1" + WORD,
            "dlq collectors",
            "dlq discard --message m1" + WORD,
            "dlq edit {letter} --property k=v" + WORD,
            "dlq expire --message old" + WORD,
            "dlq export {new}",
            "dlq groups",
            "dlq import {exported}" + WORD,
            "dlq list",
            "dlq pause {run}" + WORD,
            "dlq quarantine --message odd" + WORD,
            "dlq redact --message m1 --field property:name" + WORD,
            "dlq redrive --message m1" + WORD,
            "dlq reopen --message done" + WORD,
            "dlq restore --message old" + WORD,
            "dlq resume {run}" + WORD,
            "dlq runs",
            "dlq show {letter} --body",
            "erase --message m1" + WORD,
            "erasures export {new}",
            "erasures import {orders}",
            "erasures lift --message gone" + WORD,
            "erasures list",
            "erasures repeat" + WORD,
            "failover orders" + WORD,
            "inbox check",
            "inbox held edit {inbox} --place {inbox-place} --property k=v" + WORD,
            "inbox held list",
            "inbox held release {inbox}" + WORD,
            "inbox held release-all ledger" + WORD + " --all",
            "inbox held retry {inbox}" + WORD,
            "inbox held show {inbox}",
            "inbox held skip {inbox} --place {inbox-place}" + WORD,
            "inbox held skip-all ledger" + WORD + " --all",
            "inbox prune ledger --older-than 1d" + WORD,
            "lab append orders --session s --id {name} --text t",
            "migrate status",
            "monitor",
            "outbox edit {outbox} --place {outbox-place} --property k=v" + WORD,
            "outbox list",
            "outbox release {outbox}" + WORD,
            "outbox release-all orders" + WORD + " --all",
            "outbox retry {outbox}" + WORD,
            "outbox show {outbox}",
            "outbox skip {outbox} --place {outbox-place}" + WORD,
            "outbox skip-all orders" + WORD + " --all",
            "relay pause orders" + WORD,
            "relay resume orders" + WORD,
            "replay abandon {replay}" + WORD,
            "replay list",
            "replay resume {replay}" + WORD,
            "replay start orders" + WORD,
            "status",
            "trace m1",
            "watch --count 1");

    /** The tables' owner runs them. */
    static final Set<String> OF_OWNERS = Set.of("migrate up", "migrate validate");

    private DatabaseVerbs() {}
}
