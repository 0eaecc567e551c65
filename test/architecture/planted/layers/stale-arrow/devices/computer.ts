export { connect } from '../link/websocket.ts';
