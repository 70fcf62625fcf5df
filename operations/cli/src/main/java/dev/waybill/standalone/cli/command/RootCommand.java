package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.config.ProcessEnvironment;

/** The root of all verbs, with the environment that their configuration is read from. */
public interface RootCommand {
    ProcessEnvironment environment();
}
