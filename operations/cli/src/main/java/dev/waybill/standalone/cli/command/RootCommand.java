package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.config.ProcessEnvironment;

/** The command above all verbs. */
public interface RootCommand {
    /** The environment variables from which a verb reads its configuration. */
    ProcessEnvironment environment();
}
