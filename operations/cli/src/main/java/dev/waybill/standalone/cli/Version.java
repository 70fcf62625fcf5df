package dev.waybill.standalone.cli;

import dev.waybill.standalone.config.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"waybill-relay " + ProgramVersion.text()};
    }
}
