package dev.waybill.standalone.cli;

import dev.waybill.hold.Side;
import picocli.CommandLine.Command;

@Command(
        name = "held",
        mixinStandardHelpOptions = true,
        description = "Messages that a handler could not handle.",
        subcommands = {
            HeldVerbs.List.class,
            HeldVerbs.Show.class,
            HeldVerbs.Retry.class,
            HeldVerbs.Release.class,
            HeldVerbs.Skip.class,
            HeldVerbs.Edit.class
        })
final class HeldVerbs {
    @Command(name = "list", description = "Lists what is held.")
    static final class List extends HoldVerbs.Listing {
        List() {
            super(Side.INBOX);
        }
    }

    @Command(name = "show", description = "Shows a hold with its messages and its history.")
    static final class Show extends HoldVerbs.Show {
        Show() {
            super(Side.INBOX);
        }
    }

    @Command(name = "retry", description = "Lets a hold be tried, now or after a rest; attempts go on counting.")
    static final class Retry extends HoldVerbs.Retry {
        Retry() {
            super(Side.INBOX);
        }
    }

    @Command(name = "release", description = "Lets a hold go, with attempts counted anew.")
    static final class Release extends HoldVerbs.Release {
        Release() {
            super(Side.INBOX);
        }
    }

    @Command(name = "skip", description = "Takes a message out for good; the audit keeps it.")
    static final class Skip extends HoldVerbs.Skip {
        Skip() {
            super(Side.INBOX);
        }
    }

    @Command(name = "edit", description = "Changes what a message says; the audit keeps the original.")
    static final class Edit extends HoldVerbs.Edit {
        Edit() {
            super(Side.INBOX);
        }
    }
}
