import { webSocketLink } from '../../src/link/websocket-link.ts';
import { ScriptedLinkService } from '../support/scripted-link-service.ts';
import { deviceLinkContract } from './device-link.ts';

deviceLinkContract({
  name: 'the websocket link',
  link: (clock) => webSocketLink({ clock }),
  service: () => ScriptedLinkService.start(),
});
